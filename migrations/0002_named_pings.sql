CREATE TABLE `check_named` (
	`row` integer PRIMARY KEY NOT NULL,
	`check_row` integer NOT NULL,
	`n` integer NOT NULL,
	`rid` text NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`check_row`) REFERENCES `check`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `check_named_n` ON `check_named` (`check_row`,`n`);--> statement-breakpoint
CREATE INDEX `check_named_rid` ON `check_named` (`check_row`,`rid`);--> statement-breakpoint
INSERT INTO `check_named` (`check_row`, `n`, `rid`, `kind`, `at`)
	SELECT `check`.`row`, `ended`.`key` + 1, `ended`.`value` ->> 'rid', `ended`.`value` ->> 'kind', `ended`.`value` ->> 'at'
	FROM `check`, json_each(`check`.`standing`, '$.ended') AS `ended` WHERE json_valid(`check`.`standing`);--> statement-breakpoint
UPDATE `check` SET `standing` = json_remove(`standing`, '$.ended') WHERE json_valid(`standing`);