import { useNavigate } from '@tanstack/react-router';

/** Returns a function that changes parameters of the page's address in place. `undefined` removes one. */
export function useSearchChange(): (changed: object) => void {
  const navigate = useNavigate();
  return (changed) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...changed }), replace: true });
}
