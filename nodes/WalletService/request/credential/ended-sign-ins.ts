import type { ServiceError } from '../failure/service-error';
import { PassingNotes } from './passing-notes';

/** How long nothing is sent with a sign-in that has ended, unless it is connected again. */
const QUIET_MS = 60_000;

/**
 * How sign-ins have ended, in this process. Every request with one would be refused and would have n8n try to renew it:
 * one is enough to know. A new access token in the credential is a new sign-in.
 */
export const endedSignIns = new PassingNotes<ServiceError>(QUIET_MS);
