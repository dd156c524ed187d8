/** @jsxImportSource #jsx */
/** What somebody who is signed in reads where there is nothing for them. */
import type { Safe } from "../../jsx/jsx-runtime.ts";
import type { Desk } from "../signed-in.ts";
import { Desktop } from "./frame.tsx";

/** Status 404: it does not exist, or the visitor may not know of it. */
export const nothingHere = (desk: Desk): Safe => {
  const words = desk.view.texts.desk.refused;
  return <Refused desk={desk} status={404} title={words.nothing} text={words.nothingWhy} />;
};

/** Status 403. */
export const forAdmins = (desk: Desk): Safe => {
  const words = desk.view.texts.desk.refused;
  return <Refused desk={desk} status={403} title={words.admins} text={words.adminsWhy(desk.visitor.person.name)} />;
};

const Refused = ({ desk, status, title, text }: { desk: Desk; status: number; title: string; text: string }): Safe => (
  <Desktop desk={desk} title={title} isError>
    <div class="tight">
      <h1 class="big">{title}</h1>
      <p class="lede" dir="auto">
        {text}
      </p>
      <p class="oops">{status}</p>
    </div>
    <p class="line">
      <a class="btn" href={`${desk.view.base}/-/`}>
        {desk.view.texts.desk.refused.toOverview}
      </a>
    </p>
  </Desktop>
);
