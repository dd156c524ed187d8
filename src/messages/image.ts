/** Which images are shown without being asked for: to load one tells its host who is looking (`PEAL_IMAGE_HOSTS`). */

/** The image, if its host is allowed. */
export const shownImage = (image: string | undefined, hosts: readonly string[]): string | undefined =>
  image !== undefined && hosts.includes(URL.parse(image)?.host ?? "") ? image : undefined;

/** The same of a notification: a file of the message is the server's own. */
export const pushedImage = (
  { image, isOwnImage }: { image?: string; isOwnImage?: true },
  hosts: readonly string[],
): string | undefined => (isOwnImage === true ? image : shownImage(image, hosts));
