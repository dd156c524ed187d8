ALTER TABLE `acknowledgement` ADD `fanout_cursor` integer;--> statement-breakpoint
ALTER TABLE `acknowledgement` ADD `fanout_upto` integer;