/** Tells whether text is what it looks like: names and labels by which people tell things apart. */

/** Line ends, other controls, half characters, and what is invisible or turns the direction of the text around it. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Where such a character is part of what is seen: in an emoji, and between letters of scripts that are written with joiners. */
const SEEN = /\p{RGI_Emoji}|(?<=[[\p{L}\p{M}]--[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]])[\u200C\u200D](?=\p{L})/gv;

/** Most texts are plain: for these the other expressions are not compiled, which takes as long as a tenth of a start. */
const PLAIN = /^[ -~]*$/;

/** Whether it is one line in which every character can be seen (UTS 39 §5, UAX 44 `Default_Ignorable_Code_Point`). */
export const isVisible = (text: string): boolean => PLAIN.test(text) || !HIDDEN.test(text.replace(SEEN, ""));
