/** Addresses behind the #: which page is shown, and which rooms are looked for. */

export const NO_FILTERS = { q: "", state: "", game: "", node: "" };

/** @returns {import("./types").Route} */
export function routeOf(hash) {
  const [path, query = ""] = hash.replace(/^#?\/?/, "").split("?");
  const [page, id = ""] = path.split("/");
  const given = new URLSearchParams(query);
  const filters = { ...NO_FILTERS };
  for (const name of Object.keys(filters)) filters[name] = given.get(name) ?? "";
  if (page === "room" && id) return { page, room: decodeURIComponent(id), filters };
  return { page: page === "rooms" || page === "audit" ? page : "overview", room: "", filters };
}

export const roomAddress = (id) => `#/room/${encodeURIComponent(id)}`;

export function roomsAddress(filters) {
  const given = Object.entries(filters).filter(([, value]) => value);
  return given.length ? `#/rooms?${new URLSearchParams(given)}` : "#/rooms";
}
