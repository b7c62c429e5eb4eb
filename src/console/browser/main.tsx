/** The console: draws itself into the page. */
import { render } from 'preact';
import { App } from './app.tsx';
import './style/base.css';
import './style/frame.css';
import './style/parts.css';
import './style/tables.css';
import './style/views.css';
import './style/small.css';

const place = document.getElementById('app');
if (place) render(<App />, place);
