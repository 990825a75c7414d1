import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { getArgumentFields, getContractFunctions } from './methods/contract-form';
import { getTokens } from './methods/get-tokens';
import { testWalletServiceApi } from './methods/test-wallet-service-api';

/** Parts that the node and its trigger share. Their credentials are written out, because n8n's lint searches node files. */

export const icon: INodeTypeDescription['icon'] = {
	light: 'file:../../icons/wallet-service.svg',
	dark: 'file:../../icons/wallet-service.dark.svg',
};

export const methods: INodeType['methods'] = {
	credentialTest: { testWalletServiceApi },
	listSearch: { getTokens },
	loadOptions: { getContractFunctions },
	resourceMapping: { getArgumentFields },
};
