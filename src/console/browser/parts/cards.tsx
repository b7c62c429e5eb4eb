/** Cards in a grid, and lists of facts. */
import type { ComponentChildren } from 'preact';
import { type Loaded, Loading } from '../live/loaded.tsx';
import { type Action, Buttons } from './actions.tsx';

export const Card = ({
  title,
  tag,
  of,
  actions = [],
  children,
}: {
  readonly title: string;
  /** Beside the title. */
  readonly tag?: string | false | undefined;
  /** Names the object of its actions; default: the title. */
  readonly of?: string;
  readonly actions?: readonly Action[];
  readonly children?: ComponentChildren;
}) => (
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

/** @param empty the text that stands in place of cards if the value holds none */
export const Cards = <Value,>({
  from,
  empty,
  children,
}: {
  readonly from: Loaded<Value>;
  readonly empty: string;
  readonly children: (value: Value) => readonly ComponentChildren[];
}) => (
  <Loading from={from}>
    {(value) => {
      const cards = children(value);
      return cards.length === 0 ? <p class="empty">{empty}</p> : <ul class="cards">{cards}</ul>;
    }}
  </Loading>
);

/** Names and values; a value that is undefined is left out. */
export const Facts = ({
  of,
  className = 'facts',
}: {
  readonly of: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[];
  readonly className?: string;
}) => (
  <dl class={className}>
    {of.map(
      ([name, value], place) =>
        value !== undefined && (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may be drawn, and the place of a fact does not change
          <div key={place}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);
