import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { config } from "zod";
import "./ui/styles.ts";
import { Providers } from "./app/providers.tsx";
import { router } from "./app/router.tsx";
import { queryClient } from "./app/trpc.ts";
import { sendToSignInWhenSignedOut } from "./app/watch-session.ts";

// Our content security policy forbids making code from text; zod would try, to validate faster.
config({ jitless: true });

const root = document.getElementById("root");
if (root === null) throw new Error("index.html lacks the element that the desk is drawn in");

sendToSignInWhenSignedOut(queryClient, router);
createRoot(root).render(
  <StrictMode>
    <Providers />
  </StrictMode>,
);
