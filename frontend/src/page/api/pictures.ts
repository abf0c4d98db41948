// A picture that the server makes of what a link says. Nothing is kept there. Loaded with the share dialog.
import { at } from "./address.ts";
import { failureOf, ServerError, unreachable } from "./client.ts";

export interface Pictured {
  /** `v1:...` */
  readonly state: string;
  readonly format: "pdf";
  readonly theme: "light" | "dark" | "auto";
  readonly title: string;
  readonly overlay: string | null;
}

/** Throws ServerError. */
export async function pictureOf(asked: Pictured, fetcher: typeof fetch = fetch): Promise<Blob> {
  let response: Response;
  try {
    response = await fetcher(at("api/v1/pictures"), {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/pdf, application/json" },
      body: JSON.stringify(asked),
    });
    if (response.ok) return await response.blob();
  } catch {
    throw new ServerError(unreachable);
  }
  throw new ServerError(await failureOf(response));
}
