// app/connections/route.js of a Next.js application.
const { CA_MOCK_URL, CA_MOCK_ACCESS_TOKEN } = process.env;

export const GET = async (request) => {
  const headers = { authorization: `Bearer ${CA_MOCK_ACCESS_TOKEN}` };
  const baggage = request.headers.get('baggage');
  if (baggage) headers.baggage = baggage;
  const answer = await fetch(`${CA_MOCK_URL}/api/v1/connections`, { headers, cache: 'no-store' });
  return new Response(answer.body, { status: answer.status });
};
