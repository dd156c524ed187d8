/** @jsxImportSource #jsx */
/** The map of a hook: values of a request are clicked or typed, and the result is shown before it is saved. */
import type { KeptRequest } from "../../../hooks/hook.ts";
import type { Content } from "../../../messages/reading/content.ts";
import { sourceWord } from "../../feed/card.tsx";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Ago, momentWords } from "../../elements/times.tsx";
import { Desktop } from "../frame/frame.tsx";
import { Body } from "./came.tsx";
import { MapForm, type MapFormProps } from "./map-fields.tsx";
import { HookHead } from "./page.tsx";
import type { Previewed } from "./preview.tsx";

export interface MapProps extends MapFormProps {
  /** Newest first. */
  requests: readonly KeptRequest[];
  chosen?: { request: KeptRequest; content: Content | undefined };
  /** A preview of each of `requests`; absent if the form makes no map. */
  previewed?: readonly Previewed[];
}

export const MapPage = (props: MapProps): Safe => {
  const { desk, hook, chosen } = props;
  const { map: say } = desk.view.texts.hooks;
  return (
    <Desktop desk={desk} title={say.title} current="topics">
      <HookHead desk={desk} hook={hook} title={say.title} />
      <p class="lede">{chosen === undefined ? say.none : say.lede}</p>
      <div class="cols mapping" data-mapping>
        <div class="stack" id="map-came">
          {chosen !== undefined && <Chosen {...props} chosen={chosen} />}
        </div>
        <MapForm {...props} />
        <Uses desk={desk} />
      </div>
      <div id="map-others">
        <Others {...props} />
      </div>
      <p class="sr" role="status" data-said data-updated={say.updated} data-failed={say.failed}></p>
    </Desktop>
  );
};

/** The uses of a value, which the script shows below a value that was clicked. */
const Uses = ({ desk: { view } }: Pick<MapProps, "desk">): Safe => {
  const { map: say } = view.texts.hooks;
  return (
    <div class="drop" role="group" aria-label={say.use} data-uses={say.used("{}")} hidden>
      {USES.map((name) => (
        <button class="btn bare" type="button" data-use={name}>
          {say.useAs[name]}
        </button>
      ))}
    </div>
  );
};
const USES = ["title", "text", "level", "link", "key", "resolved"] as const;

const Chosen = ({
  desk,
  requests,
  chosen,
  previewed,
}: MapProps & { chosen: NonNullable<MapProps["chosen"]> }): Safe => {
  const { view } = desk;
  const { hooks: say } = view.texts;
  const own = previewed?.find(({ request }) => request.n === chosen.request.n);
  return (
    <>
      <section class="panel" aria-labelledby="came">
        <header>
          <h2 id="came">{say.came}</h2>
          <label class="sr" for="r">
            {say.request}
          </label>
          <select id="r" name="r" form="map" class="fit">
            {requests.map(({ n, at, source }) => (
              <option value={n} selected={n === chosen.request.n}>
                {momentWords(view, at)}, {sourceWord(view, source)}
              </option>
            ))}
          </select>
        </header>
        <div class="in">
          <Body view={view} content={chosen.content} />
        </div>
      </section>
      <section class="tight preview" aria-labelledby="becomes">
        <h2 id="becomes">{say.becomes}</h2>
        {own === undefined ? <p class="soft">{say.map.previewWrong}</p> : own.html}
      </section>
    </>
  );
};

const Others = ({ desk, chosen, previewed = [] }: MapProps): Safe => {
  const { view } = desk;
  const { map: say } = view.texts.hooks;
  const others = previewed.filter(({ request }) => request.n !== chosen?.request.n);
  return (
    <>
      {others.length > 0 && (
        <section class="stack preview" aria-labelledby="others">
          <h2 id="others">{say.all(others.length)}</h2>
          <ul class="stack">
            {others.map((one) => (
              <li class="tight">
                <p class="dim">
                  <Ago view={view} at={one.request.at} />, {sourceWord(view, one.request.source)}
                </p>
                {one.html}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
};
