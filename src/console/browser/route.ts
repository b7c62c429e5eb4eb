/** Keeps the state of the page in its address, `#/ENVIRONMENT/VIEW/PART/ID?NAME=VALUE`, which users can share. */
import { decode } from '../../engine/core/secrets.ts';
import { createStore, useStore } from './live/store.ts';

type Route = Readonly<ReturnType<typeof read>>;

/**
 * The route of the present address. `view` is one of the places; `part` the number of the open call, the kind of rows or
 * the operation; `id` names the open row; `params` are the search and the filters of the view.
 */
const read = () => {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [environment = '', view = '', part = '', id = ''] = path
    .replaceAll('+', '%2B')
    .split('/')
    .map(decode);
  const params: Readonly<Record<string, string>> = Object.fromEntries(new URLSearchParams(query));
  return { environment, view, part, id, params };
};

export const place = createStore(read());

export const useRoute = (): Route => useStore(place);

addEventListener('hashchange', () => {
  if (location.hash !== addressOf(place.get())) place.set(read());
});

/** The address of a route, without its empty parts; by default in the environment of the present address. */
export const addressOf = (route: Partial<Route>): string => {
  const { environment = place.get().environment, view, part, id, params = {} } = route;
  const path = [environment, view, part, id].map((each) => encodeURIComponent(each ?? '')).join('/');
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== ''));
  return `#/${path.replace(/\/+$/, '')}${query.size > 0 ? `?${query}` : ''}`;
};

/** Goes to another route. The browser's Back button closes what is open, but does not undo a filter. */
export const go = (change: Partial<Route>): void => {
  const next = { ...place.get(), ...change };
  const isSame = (['view', 'part', 'id'] as const).every((name) => next[name] === place.get()[name]);
  history[isSame ? 'replaceState' : 'pushState'](null, '', addressOf(next));
  place.set(next);
};

/** Changes filters. "" removes a filter. */
export const filter = (change: Route['params']): void => go({ params: { ...place.get().params, ...change } });

// `/_mock/docs#/ENVIRONMENT/OPERATION` is the address of the reference that people know.
if (location.pathname.endsWith('/docs')) {
  const { environment, view: part } = place.get();
  const params = Object.fromEntries(new URLSearchParams(location.search));
  place.set({ environment, view: 'reference', part, id: '', params });
  history.replaceState(null, '', `./${addressOf(place.get())}`);
}
