/** Both nodes of the package: they share most of their code, so that it is bundled once. */
export { WalletService } from './WalletService.node';
export { WalletServiceTrigger } from './WalletServiceTrigger.node';
