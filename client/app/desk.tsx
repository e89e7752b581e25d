import { createContext, useContext } from "react";
import type { DeskContext } from "#shared/desk-views.ts";

const Desk = createContext<DeskContext | null>(null);

export const DeskProvider = Desk;

/** Who is signed in and what this installation is. Only inside the desk's layout, where it is always known. */
export function useDesk(): DeskContext {
  const desk = useContext(Desk);
  if (desk === null) throw new Error("useDesk is used outside the desk's layout");
  return desk;
}
