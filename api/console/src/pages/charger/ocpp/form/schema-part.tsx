import { ListPart } from './list-part.tsx';
import type { PartProps } from './form-context.ts';
import { ObjectPart } from './object-part.tsx';
import { ScalarField } from './scalar-field.tsx';

/** Part of a form by the type of its schema: an object, a list, or a field. */
export function SchemaPart(props: PartProps) {
  if (props.schema.type === 'object') return <ObjectPart {...props} part={SchemaPart} />;
  if (props.schema.type === 'array') return <ListPart {...props} part={SchemaPart} />;
  return <ScalarField {...props} />;
}
