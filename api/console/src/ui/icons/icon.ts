import { createElement, type ReactNode, type SVGProps } from 'react';

/** Icon as a component. It has the colour of the text around it. */
export type IconComponent = (props: SVGProps<SVGSVGElement> & { size: number }) => ReactNode;

/** Path, or the attributes of a circle or a rectangle, on a square of 24. */
type Shape =
  | string
  | { cx: number; cy: number; r: number; fill?: 'currentColor' }
  | { x: number; y: number; width: number; height: number; rx: number };

/** Returns the component of an icon that consists of lines. */
export function icon(...shapes: Shape[]): IconComponent {
  const children = shapes.map((shape) => {
    if (typeof shape === 'string') return createElement('path', { d: shape });
    return 'r' in shape ? createElement('circle', shape) : createElement('rect', shape);
  });
  return ({ size, ...props }) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...props,
      },
      ...children,
    );
}
