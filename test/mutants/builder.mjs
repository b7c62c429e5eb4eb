/** Builds the package of a copy each time that its parent asks for it; only what changed is read again. */
import { createBuild } from '../../.ci/build.mjs';

const { build } = await createBuild(process.argv[2]);
process.on('message', async () => process.send(await build().then(() => '', String)));
process.on('disconnect', () => process.exit());
process.send('');
