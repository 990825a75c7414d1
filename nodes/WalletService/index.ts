/** Everything that n8n loads, in one bundle, because nodes and credentials share code. */
export { WalletServiceApi } from '../../credentials/WalletServiceApi.credentials';
export { WalletServiceOAuth2Api } from '../../credentials/WalletServiceOAuth2Api.credentials';
export { WalletService } from './WalletService.node';
export { WalletServiceTrigger } from './WalletServiceTrigger.node';
