/**
 * The validators of scenarios as the build has written them out, for the contract it knew. None here, where they are
 * compiled at first use; the build puts a filled module in the place of this one (.ci/prebuild.mjs).
 */
import type { Validators } from './validators.ts';

export const PREBUILT_VALIDATORS: Validators | undefined = undefined;
