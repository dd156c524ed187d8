/** Which images are loaded unasked: loading one tells its host who is looking (`PEAL_IMAGE_HOSTS`). */

/** The image, if its host is allowed. */
export const shownImage = (image: string | undefined, hosts: readonly string[]): string | undefined =>
  image !== undefined && hosts.includes(URL.parse(image)?.host ?? "") ? image : undefined;

/** The same for a notification: a file of the message is on this server. */
export const pushedImage = (
  { image, isOwnImage }: { image?: string; isOwnImage?: true },
  hosts: readonly string[],
): string | undefined => (isOwnImage === true ? image : shownImage(image, hosts));
