// Runs the analyser of n8n's community package scan on a folder: `node scan.mjs FOLDER PATTERN...`.
// It is a separate program, because the scanner is an ES module, into which ESLint's API loads its own modules.
import { analyzePackage } from '@n8n/scan-community-package/scanner/scanner.mjs';

const [folder, ...patterns] = process.argv.slice(2);
console.log(JSON.stringify(await analyzePackage(folder, patterns)));
