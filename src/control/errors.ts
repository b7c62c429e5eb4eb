/** How the control plane writes a refusal. */
import type { Refusal } from '../core/errors.ts';
import type { Presented } from '../http/plane.ts';

/** The document that describes every call. A refusal without a hint of its own points to it. */
export const DOCUMENT = '/_mock/openapi.json';

export interface ControlErrorBody {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string };
}

export const presentRefusal = (refusal: Refusal): Presented & { readonly body: ControlErrorBody } => {
  const { httpStatus: status, errorCode: code, problem: message, hint } = refusal;
  return {
    status,
    body: { error: { code, message, hint: hint || `All calls are described in ${DOCUMENT}.` } },
  };
};
