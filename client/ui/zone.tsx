import { createContext, useContext } from "react";

const ZoneContext = createContext("UTC");

/** Names the business zone that every time on the desk is told in. */
export const ZoneProvider = ZoneContext.Provider;

export function useZone(): string {
  return useContext(ZoneContext);
}
