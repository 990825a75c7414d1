// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A contract that keeps to no standard: its logs, answers and reverts are whatever the caller wants.
contract Hostile {
    mapping(bytes4 selector => bytes) private answers;

    /// Emits a log with these topics and data, which need not fit any event.
    function log(bytes32[] calldata topics, bytes memory data) external {
        uint256 count = topics.length;
        bytes32[4] memory t;
        for (uint256 i = 0; i < count; i++) t[i] = topics[i];
        assembly {
            let start := add(data, 32)
            let size := mload(data)
            switch count
            case 0 { log0(start, size) }
            case 1 { log1(start, size, mload(t)) }
            case 2 { log2(start, size, mload(t), mload(add(t, 32))) }
            case 3 { log3(start, size, mload(t), mload(add(t, 32)), mload(add(t, 64))) }
            default { log4(start, size, mload(t), mload(add(t, 32)), mload(add(t, 64)), mload(add(t, 96))) }
        }
    }

    /// Reverts with this data.
    function fail(bytes memory data) public pure {
        assembly {
            revert(add(data, 32), mload(data))
        }
    }

    /// Burns all gas.
    function burn() external pure {
        assembly {
            invalid()
        }
    }

    /// Sets the data that a function returns.
    function setAnswer(bytes4 selector, bytes calldata data) external {
        answers[selector] = data;
    }

    /// Functions without an answer revert with data that is not an error.
    fallback(bytes calldata) external returns (bytes memory) {
        if (answers[msg.sig].length == 0) fail(hex"0bad");
        return answers[msg.sig];
    }
}
