import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { NodeSDK } from '@opentelemetry/sdk-node';

new NodeSDK({ instrumentations: [new HttpInstrumentation(), new UndiciInstrumentation()] }).start();
