export type SignInResult =
  | "signed_in"
  | "wrong_credentials"
  | "rate_limited"
  | "origin_refused"
  | "unreachable";

interface Credentials {
  email: string;
  password: string;
}

async function post(path: string, body: object): Promise<Response | null> {
  try {
    return await fetch(`/api/auth${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    return null;
  }
}

/** Signs in and says how that went. The session itself is a cookie that no script can read. */
export async function signIn({ email, password }: Credentials): Promise<SignInResult> {
  const answer = await post("/sign-in/email", { email, password });
  if (answer === null || answer.status >= 500) return "unreachable";
  if (answer.ok) return "signed_in";
  if (answer.status === 429) return "rate_limited";
  if (answer.status === 403) return "origin_refused";
  return "wrong_credentials";
}

/** Ends the session. False when the server could not be reached, so that nobody believes to be signed out. */
export async function signOut(): Promise<boolean> {
  const answer = await post("/sign-out", {});
  return answer?.ok ?? false;
}
