// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// Several transfers in one transaction. The caller approves this contract for the sum first.
contract Payouts {
    /// Two transfers that differ in nothing but their place in the transaction's log.
    function payTwice(IERC20 token, address to, uint256 amount) external {
        require(token.transferFrom(msg.sender, to, amount));
        require(token.transferFrom(msg.sender, to, amount));
    }

    /// One transfer of the same amount to each recipient.
    function payEach(IERC20 token, address[] calldata recipients, uint256 amount) external {
        for (uint256 i = 0; i < recipients.length; i++) {
            require(token.transferFrom(msg.sender, recipients[i], amount));
        }
    }
}
