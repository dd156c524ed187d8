/** @jsxImportSource #jsx */
/** What gets through to a device, and its name. */
import { PRIORITIES } from "../../../messages/message.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { describedBy, Labelled, Options } from "./fields.tsx";
import type { DeviceProps } from "./page.tsx";
import { pathOf } from "./seen.ts";

export const RulesForm = ({ desk, seen, faulty }: DeviceProps): Safe => {
  const { view } = desk;
  const { devices: words } = view.texts;
  const { device, others } = seen;
  const { quietHours } = device;
  const stored = { name: device.name, min: device.minPriority, from: quietHours?.from, to: quietHours?.to };
  const value = (field: keyof typeof stored) => faulty?.given.get(field) ?? stored[field] ?? "";
  const fault = (field: string) => faulty?.faults.get(field);
  const input = (field: "name" | "from" | "to", label: string, type: "text" | "time") => (
    <Labelled view={view} id={`device-${field}`} label={label} wrong={fault(field)}>
      <input
        id={`device-${field}`}
        name={field}
        type={type}
        value={value(field)}
        dir={type === "text" && "auto"}
        maxlength={type === "text" && 100}
        aria-invalid={fault(field) !== undefined && "true"}
        aria-describedby={describedBy(`device-${field}`, { wrong: fault(field) })}
      />
    </Labelled>
  );
  return (
    <section class="panel" aria-labelledby="device-rules-h">
      <header>
        <h2 id="device-rules-h">{words.rules}</h2>
      </header>
      {others > 0 ? (
        <div class="in">
          <p class="soft">{words.onlyAdmins}</p>
        </div>
      ) : (
        <form class="in" method="post" action={view.base + pathOf(seen)}>
          {input("name", words.name, "text")}
          <Labelled view={view} id="device-min" label={words.least}>
            <select id="device-min" name="min">
              <Options
                options={PRIORITIES.map((one) => [one === "low" ? "" : one, words.ruled[one]])}
                chosen={value("min")}
              />
            </select>
          </Labelled>
          <div class="halves">
            {input("from", words.quietFrom, "time")}
            {input("to", words.quietTo, "time")}
          </div>
          <Labelled view={view} id="device-zone" label={words.zone} wrong={fault("zone")} hint={words.quietHint}>
            <input
              id="device-zone"
              name="zone"
              type="text"
              value={faulty?.given.get("zone") ?? quietHours?.timezone ?? view.zone}
              spellcheck="false"
              aria-invalid={fault("zone") !== undefined && "true"}
              aria-describedby={describedBy("device-zone", { wrong: fault("zone"), hint: words.quietHint })}
            />
          </Labelled>
          <div>
            <button class="btn main" type="submit">
              {words.save}
            </button>
          </div>
        </form>
      )}
    </section>
  );
};
