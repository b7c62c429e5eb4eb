import { startMock } from './dist/index.js';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
const run = promisify(execFile);
const kinds = {
  accounts: (n) => ({ connections: [{ key_id: 'mail', type: 'OAUTH' }], connected_accounts: Array.from({length:n-1},(_, i)=>({ connector:'mail', identifier:`u${i}@a.test` })) }),
  full: (n) => ({ connections: [{ key_id: 'mail', type: 'OAUTH' }], connected_accounts: Array.from({length:n-1},(_, i)=>({ connector:'mail', identifier:`u${i}@a.test`, status:'ACTIVE', token_expires_at:'+1h', api_config:{folder:'x'}, authorization_details:{oauth_token:{access_token:`t${i}`,refresh_token:`r${i}`,scopes:['a']}} })) }),
  users: (n) => ({ organizations:[{id:'org_1',name:'acme'}], users: Array.from({length:n/2|0},(_, i)=>({ email:`u${i}@a.test`, memberships:[{organization_id:'org_1'}] })) }),
  logs: (n) => ({ authentication_requests: Array.from({length:n},(_, i)=>({ status:'SUCCESS', email:`u${i%100}@a.test`, timestamp:`-${i}s` })) }),
};
for (const n of (process.argv[2]??'50000,200000').split(',').map(Number)) for (const [k, make] of Object.entries(kinds)) {
  const mock = await startMock({ port: 0, log: 'silent', scenario: 'empty' });
  writeFileSync('/tmp/abuse-body.json', JSON.stringify(make(n)));
  await run('curl', ['-s', mock.url+'/_mock/health']);
  const h = monitorEventLoopDelay({ resolution: 5 }); h.enable();
  await new Promise(r=>setTimeout(r,50)); h.reset();
  const t=performance.now();
  const { stdout } = await run('curl', ['-s','-w',' %{http_code}','-X','PUT','-H','content-type: application/json','--data-binary','@/tmp/abuse-body.json', mock.url+'/_mock/environments/'+(await mock.environments())[0].name+'/state']);
  console.log(k, n, 'longest', Math.round(h.max/1e6),'ms, whole', Math.round(performance.now()-t), stdout.slice(0,150));
  await mock.close();
}
