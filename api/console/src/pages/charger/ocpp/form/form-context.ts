import { createContext, useContext } from 'react';
import type { JsonSchema } from './json-schema.ts';

/** Form of a schema: its definitions, and the problems to show. */
interface Form {
  root: JsonSchema;
  /** Texts of problems by path. */
  problems: ReadonlyMap<string, string>;
}

export const FormContext = createContext<Form>({ root: {}, problems: new Map() });

export const useForm = (): Form => useContext(FormContext);

/** Value of a part of the form. */
export interface PartProps {
  /** Name of the property. */
  label: string;
  path: string;
  schema: JsonSchema;
  isRequired: boolean;
  /** Undefined: not set. */
  value: unknown;
  onChange: (value: unknown) => void;
}
