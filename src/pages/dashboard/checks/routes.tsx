/** @jsxImportSource #jsx */
/** The pages of checks (WEB.md §3). What they do is done by the functions that the API has as well. */
import { DEFAULT_OVERLAP, overlapMs, removeCheck, rotateCheck } from "../../../checks/act.ts";
import type { Check } from "../../../checks/check.ts";
import { nextSlots } from "../../../checks/schedule/preview.ts";
import { tokensOf } from "../../../tokens/secret.ts";
import { changeCheck, createCheck } from "../../../checks/upsert.ts";
import { problem } from "../../../http/problem.ts";
import { setCookie } from "../../../http/cookie.ts";
import { queryOf, readQuery, whole } from "../../../http/query.ts";
import { LOG_LINES } from "../../../store/checks.ts";
import type { Millis } from "../../../util/clock.ts";
import { createMapInTurns, createTurns } from "../../../util/turns.ts";
import { type Again, DeskRoutes, type Done } from "../desk.ts";
import { deskPath } from "../frame/filter.ts";
import { isStale, MARK, markOf } from "../stale.tsx";
import { actRoutes } from "./act-routes.ts";
import { RemoveAsk, RotateAsk } from "./check/asks.tsx";
import { bodyOf, emptyForm, faultsOf, formOf, settingsIn } from "./form/form-body.ts";
import { CheckFormPage, type Coming, type FormProps } from "./form/form.tsx";
import { listOf, wantedOf } from "./list/gather.ts";
import { ChecksPage } from "./list/page.tsx";
import { CheckPage } from "./check/page.tsx";
import { isSort, SORT_COOKIE, sortOf } from "./list/sort.ts";
import { type CheckPagesDeps, checkRoutes, type GivenDeps, LIST, pathOf } from "./on-check.ts";
import { wholeOf } from "./check/gather.ts";

const YEAR_SECONDS = 31_536_000;
const NEW = { action: `${LIST}/new`, back: LIST } as const;
const editing = (check: Check): Pick<FormProps, "action" | "name" | "back"> => ({
  ...{ action: `${pathOf(check)}/edit`, back: pathOf(check), name: check.standing.settings.name },
});
function comingOf(form: URLSearchParams, check: Check | undefined, now: Millis): Coming {
  const { schedule } = settingsIn(form, check);
  return { schedule, slots: nextSlots(schedule, now) };
}

export function checkPageRoutes(given: GivenDeps) {
  const deps: CheckPagesDeps = { ...given, tokens: tokensOf(given) };
  return [...collection(deps), ...one(deps), ...actRoutes(deps)];
}

function collection(deps: CheckPagesDeps) {
  const turns = { turn: createTurns(), mapInTurns: createMapInTurns(deps.clock) };
  return new DeskRoutes(deps, LIST)
    .page("", "signed in", async ({ desk, request }) => (
      <ChecksPage
        desk={desk}
        listed={await listOf({ ...deps, ...turns }, desk, wantedOf(queryOf(request)), sortOf(request))}
      />
    ))
    .form("/sort", "signed in", async ({ desk: { view }, form, request }) => {
      const sort = form.get("sort");
      if (!isSort(sort)) return undefined;
      const { state, tag, q } = wantedOf(queryOf(request));
      const kept = { path: `${view.base}/`, life: YEAR_SECONDS, isSecure: view.url.startsWith("https:") };
      return { to: deskPath({}, LIST, { state, tag, q }), cookie: setCookie(SORT_COOKIE, sort, kept) };
    })
    .page("/new", "signed in", ({ desk }) => {
      const form = emptyForm();
      form.set("ns", desk.chosen?.name ?? desk.namespaces[0]?.name ?? "");
      return <CheckFormPage {...NEW} desk={desk} given={form} faults={new Map()} />;
    })
    .form("/new", "signed in", async ({ desk, form }) =>
      filled({ ...NEW, desk, given: form }, async () => {
        const namespace = desk.namespaces.find(({ name }) => name === form.get("ns"));
        if (namespace === undefined)
          throw problem.validationFailed([{ path: "/ns", message: "must be a namespace that you may see" }]);
        const body = bodyOf(form);
        const made = await createCheck(deps, await deps.tokens(), namespace.id, body);
        if (made === "slug_taken") throw problem.checkExists(body.slug ?? "");
        const { armed, name, schedule } = made.standing.settings;
        const isAwaited = armed && schedule.kind !== "manual";
        return { to: pathOf(made), flash: { say: isAwaited ? "checks.armed" : "checks.created", values: [name] } };
      }),
    ).routes;
}

const one = (deps: CheckPagesDeps) =>
  checkRoutes(deps)
    .page("", "signed in", async ({ desk, check, request }) => {
      const { before } = readQuery(request, { before: whole(1, Number.MAX_SAFE_INTEGER) });
      return <CheckPage desk={desk} whole={await wholeOf(deps, desk, check, before)} />;
    })
    .page("/edit", "signed in", ({ desk, check }) => {
      const form = formOf(check);
      form.set(MARK, markOf(form));
      const coming = comingOf(form, check, desk.now);
      return <CheckFormPage {...editing(check)} {...{ desk, coming }} given={form} faults={new Map()} />;
    })
    .form("/edit", "signed in", async ({ desk, check, form }) =>
      filled({ ...editing(check), desk, given: form, check }, async () => {
        const now = markOf(formOf(check));
        if (isStale(form, now)) {
          form.set(MARK, now); // sent once more, it is meant
          const page = <CheckFormPage {...editing(check)} desk={desk} given={form} faults={new Map([[MARK, ""]])} />;
          return { page, status: 409 };
        }
        await changeCheck(deps, check, bodyOf(form, check), desk.visitor.person.name);
        return { to: pathOf(check), flash: { say: "checks.saved" } };
      }),
    )
    .page("/rotate", "signed in, confirmed", ({ desk, check }) => (
      <RotateAsk desk={desk} check={check} overlap={DEFAULT_OVERLAP} />
    ))
    .form("/rotate", "signed in, confirmed", async ({ desk, check, form }) => {
      const overlap = (form.get("overlap") ?? "").trim() || DEFAULT_OVERLAP;
      try {
        await rotateCheck(deps, check, { overlap });
      } catch (error) {
        const fault = faultsOf(error).faults.get("overlap");
        if (fault === undefined) throw error;
        return { page: <RotateAsk desk={desk} check={check} overlap={overlap} fault={fault} /> };
      }
      const ms = overlapMs(overlap);
      const values = [ms === 0 ? "" : desk.view.texts.checks.lasting(ms)];
      return { to: pathOf(check), flash: { say: "checks.rotated", values } };
    })
    .page("/delete", "signed in", ({ desk, check }) => {
      const { incidents, events } = check.standing;
      return <RemoveAsk desk={desk} check={check} lines={Math.min(events, LOG_LINES)} incidents={incidents} />;
    })
    .form("/delete", "signed in", async ({ check }) => {
      await removeCheck(deps, check);
      return { to: LIST, flash: { say: "checks.removed", values: [check.standing.settings.name] } };
    }).routes;

type Filled = Omit<FormProps, "faults" | "coming"> & { check?: Check };

/** Saves the form; or shows it again with its faults or, if that was asked for, the next slots. */
async function filled(
  { check, ...props }: Filled,
  save: () => Promise<Done | Again | undefined>,
): Promise<Done | Again | undefined> {
  const { given, desk } = props;
  try {
    if (!given.has("preview")) return await save();
    const coming = comingOf(given, check, desk.now);
    return { page: <CheckFormPage {...props} coming={coming} faults={new Map()} />, status: 200 };
  } catch (error) {
    const { faults, problem: refused } = faultsOf(error);
    return { page: <CheckFormPage {...props} faults={faults} />, status: refused.status };
  }
}
