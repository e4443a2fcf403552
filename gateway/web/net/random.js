/** Enough letters that no two pages of one person ever share them. (`randomUUID` is only there under https.) */
export function randomName() {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, "0")).join("");
}
