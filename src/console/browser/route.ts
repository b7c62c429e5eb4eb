/** Keeps the state of the page in its address, `#/ENVIRONMENT/VIEW/ID?NAME=VALUE`, which users can share. */
import { createStore, useStore } from './live/store.ts';

interface Route {
  readonly environment: string;
  readonly view: string;
  /** The id of the open row or call. "" if none is open. */
  readonly id: string;
  /** The search, filters and page of the view. */
  readonly params: Readonly<Record<string, string>>;
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
};

const read = (): Route => {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [environment = '', view = '', id = ''] = path.split('/').map(decode);
  return { environment, view, id, params: Object.fromEntries(new URLSearchParams(query)) };
};

export const place = createStore<Route>(read());

addEventListener('hashchange', () => {
  if (location.hash !== addressOf(place.get())) place.set(read());
});

/** The address of a route, without its empty parts; by default in the environment of the present address. */
export const addressOf = (route: Partial<Route>): string => {
  const { environment = place.get().environment, view, id, params = {} } = route;
  const path = [environment, view, id].map((part) => encodeURIComponent(part ?? '')).join('/');
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== ''));
  return `#/${path.replace(/\/+$/, '')}${query.size > 0 ? `?${query}` : ''}`;
};

/** A path of the control plane within the environment of the address. */
export const within = (path = '', environment = place.get().environment): string =>
  `environments/${encodeURIComponent(environment)}${path}`;

export const go = (change: Partial<Route>): void => {
  const next = { ...place.get(), ...change };
  // The browser's back button closes a row, but does not undo a filter.
  if (next.id === place.get().id) history.replaceState(null, '', addressOf(next));
  else history.pushState(null, '', addressOf(next));
  place.set(next);
};

/** The route, for views that read their search, filters and open row from the address. */
export const useView = () => {
  const { id, params } = useStore(place);
  return {
    id,
    params,
    open: (next: string): void => go({ id: next }),
    close: (): void => go({ id: '' }),
    /** Changes filters. "" removes a filter. */
    filter: (change: Route['params']): void => go({ params: { ...place.get().params, ...change } }),
  };
};
