/** Agents whose values n8n mixes up, or to which it passes no results. The suite `versions` tests the same in older versions. */
import { testLostResults } from '../../support/n8n/lost-results.mts';
import { n8n } from '../support/shared-n8n.mts';

testLostResults(n8n, 'sandboxUser0001', () => n8n);
