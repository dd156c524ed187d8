/** Text that is what it looks like: names and labels by which people tell one thing from another. */

/** Line ends, other controls, halves of characters, and what shows nothing or turns the direction of what stands around it. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Where such a character is part of what is seen: in an emoji, and between letters whose scripts are written with joiners. */
const SEEN = /\p{RGI_Emoji}|(?<=[[\p{L}\p{M}]--[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]])[\u200C\u200D](?=\p{L})/gv;

/** Most texts: for these no time is spent on compiling the others, which takes as long as a tenth of a start. */
const PLAIN = /^[ -~]*$/;

/** Whether it is one line of characters that can all be seen (UTS 39 §5, UAX 44 `Default_Ignorable_Code_Point`). */
export const isVisible = (text: string): boolean => PLAIN.test(text) || !HIDDEN.test(text.replace(SEEN, ""));
