/** The navigation at the side: links to all views of the console. */
import { useEffect, useRef } from 'preact/hooks';
import { addressOf } from '../route.ts';
import { GROUPS, type View } from './views.tsx';

export const Navigation = ({ environment, view }: { readonly environment: string; readonly view: View }) => {
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => current.current?.scrollIntoView({ block: 'nearest', inline: 'center' }), [view]);
  return (
    <nav class="side" aria-label="Views">
      {GROUPS.map(({ title, views }) => (
        <div key={title}>
          <h2>{title}</h2>
          <ul>
            {views.map(({ id, title: text }) => (
              <li key={id}>
                <a
                  ref={id === view.id ? current : null}
                  href={addressOf({ environment, view: id })}
                  aria-current={id === view.id ? 'page' : undefined}
                >
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
};
