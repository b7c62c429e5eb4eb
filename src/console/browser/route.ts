/** Where the page is: `#/ENVIRONMENT/VIEW`, so that it can be bookmarked and the browser's buttons work. */
import { createStore } from './live/store.ts';

export interface Route {
  readonly environment: string;
  readonly view: string;
}

const read = (): Route => {
  const [environment = '', view = ''] = location.hash.replace(/^#\/?/, '').split('/').map(decode);
  return { environment, view };
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
};

export const route = createStore<Route>(read());

addEventListener('hashchange', () => route.set(read()));

export const addressOf = ({ environment, view }: Route): string =>
  `#/${encodeURIComponent(environment)}/${encodeURIComponent(view)}`;
