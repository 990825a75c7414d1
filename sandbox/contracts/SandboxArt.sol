// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// An ERC-721 collection in which anyone may mint a free token id.
contract SandboxArt is ERC721 {
    constructor() ERC721("Sandbox Art", "SART") {}

    function mint(address to, uint256 tokenId) external {
        _mint(to, tokenId);
    }

    function _baseURI() internal pure override returns (string memory) {
        return "https://art.example/";
    }
}
