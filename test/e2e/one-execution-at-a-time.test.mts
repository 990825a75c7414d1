/** What needs an n8n that runs one execution at a time, and each example as it was imported. */
import './workflows/examples.mts';
import './workflows/reconcile.mts';
