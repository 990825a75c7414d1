/** The packed package in older versions of n8n and in the newest one: each part is a file, and both share one folder per version. */
import './parts/oauth2.mts';
// Leaves a trigger published, which goes on polling.
import './parts/operations.mts';
