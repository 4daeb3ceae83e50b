import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type * as english from './en/index.ts';
import { en } from './english.ts';

/** Languages of the console. */
export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', nl: 'Nederlands' } as const;
export type Language = keyof typeof languages;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: typeof en;
    enableSelector: false;
  }
}

/** Catalogues of a language by module of the navigation: the keys of English, each with a text. */
type Catalogues = typeof english;

const translations: Record<Exclude<Language, 'en'>, () => Promise<Catalogues>> = {
  de: () => import('./de/index.ts'),
  fr: () => import('./fr/index.ts'),
  nl: () => import('./nl/index.ts'),
};

function isLanguage(word: string): word is Language {
  return word in languages;
}

/** Returns the chosen language, else the first of the browser's that exists, else English. */
export function initialLanguage(): Language {
  const wanted = [localStorage.getItem('language') ?? '', ...navigator.languages];
  return wanted.map((word) => word.slice(0, 2)).find(isLanguage) ?? 'en';
}

/** Starts the texts in a language. */
export async function startTexts(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en },
    defaultNS: 'common',
    interpolation: { escapeValue: false },
  });
  await showLanguage(language);
}

/** Loads the texts of a language and shows them. */
async function showLanguage(language: Language): Promise<void> {
  if (language !== 'en' && !i18next.hasResourceBundle(language, 'common')) {
    for (const catalogue of Object.values(await translations[language]())) {
      for (const [namespace, texts] of Object.entries(catalogue)) {
        i18next.addResourceBundle(language, namespace, texts);
      }
    }
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Shows a language from now on and in later visits. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem('language', language);
  await showLanguage(language);
}
