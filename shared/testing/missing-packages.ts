import { missingPackages } from './programs.ts';

// `npm run test:packages`: prints the Debian packages that the tests need and this machine lacks, one per line.
for (const name of missingPackages()) console.log(name);
