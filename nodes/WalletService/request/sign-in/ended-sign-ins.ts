import type { ServiceError } from '../failure/service-error';
import { PassingNotes } from './passing-notes';

/** How long nothing is sent with a sign-in that has ended, unless it is connected again. */
const QUIET_MS = 60_000;

/**
 * Sign-ins that have ended, in this process, each with its failure. Every further request would be refused, and would make
 * n8n try to renew the sign-in. A new access token in the credential is a new sign-in.
 */
export const endedSignIns = new PassingNotes<ServiceError>(QUIET_MS);
