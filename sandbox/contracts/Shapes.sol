// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// One function for every shape that an ABI can give to arguments and answers.
/// Any other signature is answered by the fallback with its own arguments, so that `anything(T1,T2) view returns (T1,T2)` is an echo.
contract Shapes {
    enum Level {
        Low,
        Medium,
        High
    }

    struct Point {
        int256 x;
        int256 y;
    }

    struct Route {
        uint256 id;
        string label;
        Point[] path;
    }

    error Rejected(uint256 code, address caller);

    /// The arguments of a call to a function that this contract does not have, as they arrived.
    event Echo(bytes data);

    uint256 public stored;
    uint256 public received;
    string public label;

    // --- answers without arguments

    function unsigned() external pure returns (uint8 small, uint48 number, uint64 large, uint256 largest) {
        return (type(uint8).max, type(uint48).max, type(uint64).max, type(uint256).max);
    }

    function signed() external pure returns (int8 smallest, int64 minusOne, int256 lowest) {
        return (type(int8).min, -1, type(int256).min);
    }

    function negative() external pure returns (int256) {
        return -1;
    }

    function summary() external view returns (uint256 count, string memory name, bool open, address self) {
        return (3, "Shapes", true, address(this));
    }

    function nothing() external pure {}

    // --- one argument and one answer of each family

    function echoUint(uint256 value) external pure returns (uint256) {
        return value;
    }

    function echoInt(int256 value) external pure returns (int256) {
        return value;
    }

    function echoBool(bool value) external pure returns (bool) {
        return value;
    }

    function echoAddress(address value) external pure returns (address) {
        return value;
    }

    function echoString(string calldata value) external pure returns (string memory) {
        return value;
    }

    function echoBytes(bytes calldata value) external pure returns (bytes memory) {
        return value;
    }

    function echoBytes4(bytes4 value) external pure returns (bytes4) {
        return value;
    }

    function echoBytes32(bytes32 value) external pure returns (bytes32) {
        return value;
    }

    function echoLevel(Level value) external pure returns (Level) {
        return value;
    }

    // --- arrays and tuples

    function echoList(uint256[] calldata values) external pure returns (uint256[] memory) {
        return values;
    }

    function echoTriple(int64[3] calldata values) external pure returns (int64[3] memory) {
        return values;
    }

    function echoPairs(uint8[2][] calldata values) external pure returns (uint8[2][] memory) {
        return values;
    }

    function echoTexts(string[] calldata values) external pure returns (string[] memory) {
        return values;
    }

    function echoPoint(Point calldata point) external pure returns (Point memory) {
        return point;
    }

    function echoRoute(Route calldata route) external pure returns (Route memory) {
        return route;
    }

    function echoRoutes(Route[] calldata routes) external pure returns (Route[] memory routes_, uint256 count) {
        return (routes, routes.length);
    }

    // --- one name, several functions

    function pick(uint256) external pure returns (string memory) {
        return "pick(uint256)";
    }

    function pick(address) external pure returns (string memory) {
        return "pick(address)";
    }

    function pick(uint256[] calldata) external pure returns (string memory) {
        return "pick(uint256[])";
    }

    // --- state

    function store(uint256 value) external returns (uint256 previous) {
        previous = stored;
        stored = value;
    }

    function setLabel(string calldata value) external {
        label = value;
    }

    function pay() external payable returns (uint256 total) {
        received += msg.value;
        return received;
    }

    // --- failures, in reads and in writes

    function failWithReason(string calldata reason) external {
        stored = 0;
        revert(reason);
    }

    function failWithError(uint256 code) external {
        stored = 0;
        revert Rejected(code, msg.sender);
    }

    function failWithPanic(uint256 divisor) external returns (uint256) {
        stored = 1 / divisor;
        return stored;
    }

    function failSilently() external {
        stored = 0;
        revert();
    }

    fallback(bytes calldata input) external payable returns (bytes memory) {
        bytes calldata data = input.length < 4 ? input : input[4:];
        emit Echo(data);
        return data;
    }
}
