import { conformance } from "./conformance/suite.ts";
import { openSqlite } from "./sqlite.ts";

conformance("SQLite", openSqlite);
