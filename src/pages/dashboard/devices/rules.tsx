/** @jsxImportSource #jsx */
/** What gets through to a device, and its name. */
import { PRIORITIES } from "../../../drafts/draft.ts";
import { Field } from "../../elements/field.tsx";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Select } from "../../elements/select.tsx";
import { deskLink } from "../frame/filter.ts";
import type { DeviceProps } from "./shown.ts";
import { pathOf } from "./seen-device.ts";
import { Submit } from "../../elements/submit.tsx";
import { Panel } from "../../elements/panel.tsx";

export const RulesForm = ({ desk, seen, faulty }: DeviceProps): Safe => {
  const { view } = desk;
  const { devices: words } = view.texts;
  const { device, others } = seen;
  const { quietHours } = device;
  const stored = { name: device.name, min: device.minPriority, from: quietHours?.from, to: quietHours?.to };
  const value = (field: keyof typeof stored) => faulty?.given.get(field) ?? stored[field] ?? "";
  const fault = (field: string) => faulty?.faults.get(field);
  const input = (field: "name" | "from" | "to", label: string, type: "text" | "time") => (
    <Field
      {...{ view, label, name: field, id: `device-${field}`, type, value: value(field), wrong: fault(field) }}
      {...(type === "text" && { maxlength: 100 })}
      isOptional
    />
  );
  return (
    <Panel heading="device-rules-h" title={words.rules}>
      {others > 0 ? (
        <div class="in">
          <p class="soft">{words.onlyAdmins}</p>
        </div>
      ) : (
        <form class="in" method="post" action={deskLink(desk, pathOf(seen))}>
          {input("name", view.texts.shared.name, "text")}
          <Select
            {...{ view, label: words.least, name: "min", id: "device-min", chosen: value("min") }}
            choices={PRIORITIES.map((one) => [one === "low" ? "" : one, words.ruled[one]])}
          />
          <div class="halves">
            {input("from", words.quietFrom, "time")}
            {input("to", words.quietTo, "time")}
          </div>
          <Field
            {...{
              view,
              label: view.texts.shared.timezone,
              name: "zone",
              id: "device-zone",
              wrong: fault("zone"),
              hint: words.quietHint,
            }}
            value={faulty?.given.get("zone") ?? quietHours?.timezone ?? view.zone}
            isOptional
          />
          <div>
            <Submit class="btn main" words={view.texts.shared.save} />
          </div>
        </form>
      )}
    </Panel>
  );
};
