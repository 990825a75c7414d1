/** All that n8n loads: nodes and credentials share code, which is bundled once. */
export { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials';
export { WalletServiceOAuth2Api } from '../../credentials/WalletServiceOAuth2Api.credentials';
export { WalletService } from './WalletService.node';
export { WalletServiceTrigger } from './WalletServiceTrigger.node';
