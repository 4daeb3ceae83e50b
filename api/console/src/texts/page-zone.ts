import { createContext, useContext } from 'react';

/** Time zone of the browser (IANA). */
export const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Time zone of every time on the page. Pages before the sign-in use the viewer's. */
export const PageZone = createContext(viewerZone);

/** Returns the time zone of every time on the page (IANA). */
export const usePageZone = (): string => useContext(PageZone);
