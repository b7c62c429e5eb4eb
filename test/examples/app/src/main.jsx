import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const ask = async (path, body) => {
  const response = await fetch(path, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
};

const App = () => {
  const [accounts, setAccounts] = useState([]);
  const [notice, setNotice] = useState('');
  const attempt = (act) => () => act().catch(({ message }) => setNotice(message));
  const connect = async () => window.location.assign((await ask('/api/connect', { connector: 'mail' })).link);
  const invite = async () => setNotice(`${(await ask('/api/invite', {})).email} is invited.`);
  useEffect(() => {
    ask('/api/accounts').then(
      (answer) => setAccounts(answer.accounts),
      ({ message }) => setNotice(message),
    );
  }, []);
  return (
    <>
      <h1>Your accounts</h1>
      <p role="status">{notice}</p>
      <ul>
        {accounts.map(({ id, connector, identifier, status }) => (
          <li key={id}>
            {connector} {identifier}: {status}
          </li>
        ))}
      </ul>
      <button type="button" onClick={attempt(connect)}>
        Connect your mail
      </button>
      <button type="button" onClick={attempt(invite)}>
        Invite Barbara
      </button>
    </>
  );
};

createRoot(document.getElementById('app')).render(<App />);
