import { init } from '@sentry/node';

init({ dsn: 'http://key@127.0.0.1:1/1' }); // without a DSN, Sentry passes on nothing
