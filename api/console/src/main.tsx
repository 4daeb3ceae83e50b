import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, Suspense } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { useTranslation } from 'react-i18next';
import { PagePending } from './app/page-states.tsx';
import { queryClient } from './app/query-client.ts';
import { router } from './app/router.tsx';
import './styles/tokens.css';
import './styles/base.css';
import { initialLanguage, startTexts } from './texts/texts.ts';

function Console() {
  const { i18n } = useTranslation();
  return (
    <I18nProvider locale={i18n.language}>
      <QueryClientProvider client={queryClient}>
        <Suspense fallback={<PagePending />}>
          <RouterProvider router={router} />
        </Suspense>
      </QueryClientProvider>
    </I18nProvider>
  );
}

await startTexts(initialLanguage());
const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no element #root');
createRoot(root).render(
  <StrictMode>
    <Console />
  </StrictMode>,
);
