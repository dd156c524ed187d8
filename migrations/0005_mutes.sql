ALTER TABLE `namespace` ADD `muted_until` integer;--> statement-breakpoint
ALTER TABLE `topic` ADD `muted_until` integer;