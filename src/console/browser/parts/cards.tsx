/** Cards in a grid, and lists of facts. */
import type { ComponentChildren } from 'preact';
import { type Loaded, Loading } from '../live/loaded.tsx';
import { type Action, Buttons } from './actions.tsx';

interface CardProps {
  readonly title: string;
  /** A word next to the title. */
  readonly tag?: string | false | undefined;
  /** The name of the row or fault that the actions change. Default: the title. */
  readonly of?: string;
  readonly actions?: readonly Action[];
  readonly children?: ComponentChildren;
}

export const Card = ({ title, tag, of, actions = [], children }: CardProps) => (
  <li class="card">
    <h2>
      {title} {tag && <span class="tag">{tag}</span>}
    </h2>
    {children}
    <p class="cluster">
      <Buttons actions={actions} of={of ?? title} />
    </p>
  </li>
);

interface CardsProps<Value> {
  readonly from: Loaded<Value>;
  readonly empty: string;
  readonly children: (value: Value) => readonly ComponentChildren[];
}

/** @param empty the text to show if there are no cards */
export const Cards = <Value,>({ from, empty, children }: CardsProps<Value>) => (
  <Loading from={from}>
    {(value) => {
      const cards = children(value);
      return cards.length === 0 ? <p class="empty">{empty}</p> : <ul class="cards">{cards}</ul>;
    }}
  </Loading>
);

interface FactsProps {
  readonly of: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[];
  readonly className?: string;
}

/** A list of names and values. Leaves out values that are undefined. */
export const Facts = ({ of, className = 'facts' }: FactsProps) => (
  <dl class={className}>
    {of.map(
      ([name, value], place) =>
        value !== undefined && (
          <div key={place}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);
