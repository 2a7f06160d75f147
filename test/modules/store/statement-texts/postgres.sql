-- GET /blogs: 1
select t0."id" as c0, t0."title" as c1, (select count(*) as total from "test"."blog" t0) as total from "test"."blog" t0 order by t0."id" asc limit $1 offset $2;

-- GET /blogs/1: 1
select t0."id" as c0, t0."title" as c1 from "test"."blog" t0 where t0."id" = $1;

-- GET /articles?page[number]=1&page[size]=1: 1
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "test"."article" t0) as total from "test"."article" t0 order by t0."id" asc limit $1 offset $2;

-- GET /articles?fields[articles]=title,blog: 1
select t0."id" as c0, t0."title" as c1, (select count(*) as total from "test"."article" t0) as total from "test"."article" t0 order by t0."id" asc limit $1 offset $2;

-- GET /articles?filter=and(equals(title,'A1'),or(equals(likes,null),not(greaterThan(views,'3')))): 1
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "test"."article" t0 where ((t0."title" = $1) and ((t0."likes" is null) or not (((t0."views" > $2)) is true)))) as total from "test"."article" t0 where ((t0."title" = $3) and ((t0."likes" is null) or not (((t0."views" > $4)) is true))) order by t0."id" asc limit $5 offset $6;

-- GET /articles?filter=or(contains(title,'A'),startsWith(subtitle,'S'),any(status,'draft','final')): 1
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "test"."article" t0 where ((strpos(((t0."title")::text collate "C"), ($1)::text) > 0) or starts_with(((t0."subtitle")::text collate "C"), ($2)::text) or (t0."status" in ($3, $4)))) as total from "test"."article" t0 where ((strpos(((t0."title")::text collate "C"), ($5)::text) > 0) or starts_with(((t0."subtitle")::text collate "C"), ($6)::text) or (t0."status" in ($7, $8))) order by t0."id" asc limit $9 offset $10;

-- GET /articles?filter=equals(blog.title,'B1'): 1
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "test"."article" t0 left join "test"."blog" t1 on t1."id" = t0."blogId" where (t1."title" = $1)) as total from "test"."article" t0 left join "test"."blog" t1 on t1."id" = t0."blogId" where (t1."title" = $2) order by t0."id" asc limit $3 offset $4;

-- GET /articles?filter=has(comments,equals(body,null))&sort=-publishedAt: 1
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "test"."article" t0 where exists (select 1 from "test"."comment" t1 where t1."articleId" = t0."id" and (t1."body" is null))) as total from "test"."article" t0 where exists (select 1 from "test"."comment" t1 where t1."articleId" = t0."id" and (t1."body" is null)) order by t0."publishedAt" desc nulls last, t0."id" asc limit $1 offset $2;

-- GET /articles?filter=greaterThan(count(tags),'1'): 1
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "test"."article" t0 where ((select count(*) from "test"."tag" t1 join "test"."article_tags_tag" t2 on t2."tagId" = t1."id" where t2."articleId" = t0."id") > $1)) as total from "test"."article" t0 where ((select count(*) from "test"."tag" t1 join "test"."article_tags_tag" t2 on t2."tagId" = t1."id" where t2."articleId" = t0."id") > $2) order by t0."id" asc limit $3 offset $4;

-- GET /blogs?filter=has(articles,has(tags,equals(id,'a')))&sort=-count(articles): 1
select t0."id" as c0, t0."title" as c1, (select count(*) as total from "test"."blog" t0 where exists (select 1 from "test"."article" t1 where t1."blogId" = t0."id" and exists (select 1 from "test"."tag" t2 join "test"."article_tags_tag" t3 on t3."tagId" = t2."id" where t3."articleId" = t1."id" and (t2."id" = $1)))) as total from "test"."blog" t0 where exists (select 1 from "test"."article" t1 where t1."blogId" = t0."id" and exists (select 1 from "test"."tag" t2 join "test"."article_tags_tag" t3 on t3."tagId" = t2."id" where t3."articleId" = t1."id" and (t2."id" = $2))) order by (select count(*) from "test"."article" t4 where t4."blogId" = t0."id") desc, t0."id" asc limit $3 offset $4;

-- GET /articles?sort=-blog.title,title: 1
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "test"."article" t0) as total from "test"."article" t0 left join "test"."blog" t1 on t1."id" = t0."blogId" order by t1."title" desc nulls last, t0."title" asc, t0."id" asc limit $1 offset $2;

-- GET /articles?include=blog: 2
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15, (select count(*) as total from "test"."article" t0) as total from "test"."article" t0 order by t0."id" asc limit $1 offset $2;
select t0."id" as c0, t0."title" as c1, t0."id" as parent from "test"."blog" t0 where (t0."id" = any($1));

-- GET /blogs?include=articles: 2
select t0."id" as c0, t0."title" as c1, (select count(*) as total from "test"."blog" t0) as total from "test"."blog" t0 order by t0."id" asc limit $1 offset $2;
select * from (select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as parent, row_number() over (partition by t0."blogId" order by t0."id" asc) as position from "test"."article" t0 where (t0."blogId" = any($1))) ranked where position > $2 and position <= $3 order by position;

-- GET /articles?include=tags: 2
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "test"."article" t0) as total from "test"."article" t0 order by t0."id" asc limit $1 offset $2;
select limited.* from unnest($1::text[]) parents(parent) cross join lateral (select t0."id" as c0, t0."rank" as c1, parents.parent::integer as parent, t0."id" as s0 from "test"."article_tags_tag" t1 cross join "test"."tag" t0 where t1."articleId" = parents.parent::integer and t1."tagId" = t0."id" order by t1."tagId" asc limit $2 offset $3) limited order by s0 asc;

-- GET /articles?include=blog,comments.replies: 4
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15, (select count(*) as total from "test"."article" t0) as total from "test"."article" t0 order by t0."id" asc limit $1 offset $2;
select t0."id" as c0, t0."title" as c1, t0."id" as parent from "test"."blog" t0 where (t0."id" = any($1));
select limited.* from unnest($1::text[]) parents(parent) cross join lateral (select t0."id" as c0, t0."body" as c1, t0."articleId" as parent, t0."id" as s0 from "test"."comment" t0 where t0."articleId" = parents.parent::integer order by t0."id" asc limit $2 offset $3) limited order by s0 asc;
select limited.* from unnest($1::text[]) parents(parent) cross join lateral (select t0."id" as c0, t0."body" as c1, t0."parentId" as parent, t0."id" as s0 from "test"."comment" t0 where t0."parentId" = parents.parent::bigint order by t0."id" asc limit $2 offset $3) limited order by s0 asc;

-- GET /blogs?include=articles.comments&page[size]=10,articles:2,articles.comments:3: 3
select t0."id" as c0, t0."title" as c1, (select count(*) as total from "test"."blog" t0) as total from "test"."blog" t0 order by t0."id" asc limit $1 offset $2;
select * from (select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as parent, row_number() over (partition by t0."blogId" order by t0."id" asc) as position from "test"."article" t0 where (t0."blogId" = any($1))) ranked where position > $2 and position <= $3 order by position;
select limited.* from unnest($1::text[]) parents(parent) cross join lateral (select t0."id" as c0, t0."body" as c1, t0."articleId" as parent, t0."id" as s0 from "test"."comment" t0 where t0."articleId" = parents.parent::integer order by t0."id" asc limit $2 offset $3) limited order by s0 asc;

-- GET /articles?include=comments&filter[comments]=has(replies)&sort[comments]=-body: 2
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "test"."article" t0) as total from "test"."article" t0 order by t0."id" asc limit $1 offset $2;
select limited.* from unnest($1::text[]) parents(parent) cross join lateral (select t0."id" as c0, t0."body" as c1, t0."articleId" as parent, t0."body" as s0, t0."id" as s1 from "test"."comment" t0 where t0."articleId" = parents.parent::integer and exists (select 1 from "test"."comment" t1 where t1."parentId" = t0."id") order by t0."body" desc nulls last, t0."id" asc limit $2 offset $3) limited order by s0 desc nulls last, s1 asc;

-- GET /blogs/1/articles: 2
select t0."id" as c0 from "test"."blog" t0 where t0."id" = $1;
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (select count(*) as total from "test"."article" t0 where t0."blogId" = $1) as total from "test"."article" t0 where t0."blogId" = $2 order by t0."id" asc limit $3 offset $4;

-- GET /articles/1/revisions: 2
select t0."id" as c0 from "test"."article" t0 where t0."id" = $1;
select t0."id" as c0, t0."number" as c1 from "test"."revision" t0 where t0."articleId" = $1 order by t0."id" asc limit $2 offset $3;

-- GET /articles/1/blog: 2
select t0."id" as c0 from "test"."article" t0 where t0."id" = $1;
select t0."id" as c0, t0."title" as c1 from "test"."blog" t0 where t0."id" = (select t1."blogId" from "test"."article" t1 where t1."id" = $1);

-- GET /tags/a/articles?include=comments: 3
select t0."id" as c0 from "test"."tag" t0 where (t0."id" = $1);
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14 from "test"."article" t0 where t0."id" in (select "articleId" from "test"."article_tags_tag" where "tagId" = $1) order by t0."id" asc;
select limited.* from unnest($1::text[]) parents(parent) cross join lateral (select t0."id" as c0, t0."body" as c1, t0."articleId" as parent, t0."id" as s0 from "test"."comment" t0 where t0."articleId" = parents.parent::integer order by t0."id" asc limit $2 offset $3) limited order by s0 asc;

-- GET /articles/1/relationships/blog: 2
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "test"."article" t0 where t0."id" = $1;
select t0."id" as c0 from "test"."blog" t0 where t0."id" = (select t1."blogId" from "test"."article" t1 where t1."id" = $1);

-- GET /articles/1/relationships/tags: 2
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "test"."article" t0 where t0."id" = $1;
select t0."id" as c0, (select count(*) as total from "test"."tag" t0 where t0."id" in (select "tagId" from "test"."article_tags_tag" where "articleId" = $1)) as total from "test"."tag" t0 where t0."id" in (select "tagId" from "test"."article_tags_tag" where "articleId" = $2) order by t0."id" asc limit $3 offset $4;

-- GET /articles/1/relationships/comments?include=comments.replies: 3
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "test"."article" t0 where t0."id" = $1;
select t0."id" as c0, t0."body" as c1, (select count(*) as total from "test"."comment" t0 where t0."articleId" = $1) as total from "test"."comment" t0 where t0."articleId" = $2 order by t0."id" asc limit $3 offset $4;
select limited.* from unnest($1::text[]) parents(parent) cross join lateral (select t0."id" as c0, t0."body" as c1, t0."parentId" as parent, t0."id" as s0 from "test"."comment" t0 where t0."parentId" = parents.parent::bigint order by t0."id" asc limit $2 offset $3) limited order by s0 asc;

-- GET /articles?page[size]=10 behind a cursor: 4
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (t0."id")::text as k0 from "test"."article" t0 order by t0."id" asc limit $1;
select count(*) as total from "test"."article" t0;
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (t0."id")::text as k0 from "test"."article" t0 where (t0."id") > ($1::bigint) order by t0."id" asc limit $2;
select count(*) as total from "test"."article" t0;

-- GET /articles?page[size]=10 before a cursor: 4
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (t0."id")::text as k0 from "test"."article" t0 order by t0."id" asc limit $1;
select count(*) as total from "test"."article" t0;
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (t0."id")::text as k0 from "test"."article" t0 where (t0."id") < ($1::bigint) order by t0."id" desc limit $2;
select count(*) as total from "test"."article" t0;

-- GET /articles?sort=-blog.title,subtitle behind a cursor: 4
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (t1."title")::text as k0, (t0."subtitle")::text as k1, (t0."id")::text as k2 from "test"."article" t0 left join "test"."blog" t1 on t1."id" = t0."blogId" order by t1."title" desc nulls last, t0."subtitle" asc, t0."id" asc limit $1;
select count(*) as total from "test"."article" t0;
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, (t1."title")::text as k0, (t0."subtitle")::text as k1, (t0."id")::text as k2 from "test"."article" t0 left join "test"."blog" t1 on t1."id" = t0."blogId" where (t1."title" < $1 or t1."title" is null or (t1."title" = $2 and ((t0."subtitle" is null and (t0."id" > $3::bigint))))) order by t1."title" desc nulls last, t0."subtitle" asc, t0."id" asc limit $4;
select count(*) as total from "test"."article" t0;

-- POST /blogs: 1
insert into "test"."blog" ("title") values ($1) returning "test"."blog"."id" as c0, "test"."blog"."title" as c1;

-- POST /articles with a blog and tags: 6
select t0."id" as c0 from "test"."blog" t0 where t0."id" = $1;
select t0."id" as c0 from "test"."tag" t0 where (t0."id" = $1);
insert into "test"."article" ("title", "blogId") values ($1, $2) returning "id" as key0;
DELETE from "test"."article_tags_tag" where "articleId" = $1 and not ("tagId" = any($2));
insert into "test"."article_tags_tag" ("articleId", "tagId") select $1, each::character varying from unnest($2::text[]) each on conflict do nothing;
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "test"."article" t0 where t0."id" = $1;

-- PATCH /articles/1 of attributes: 1
UPDATE "test"."article" set "title" = $1, "views" = $2 where "id" = $3 returning "test"."article"."id" as c0;

-- PATCH /articles/1 of a relationship: 1
UPDATE "test"."article" set "blogId" = $1 where "id" = $2 returning "test"."article"."id" as c0;

-- PATCH /articles/1/relationships/blog: 3
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "test"."article" t0 where t0."id" = $1 for update of t0;
select t0."id" as c0 from "test"."blog" t0 where t0."id" = $1;
UPDATE "test"."article" set "blogId" = $1 where "id" = $2;

-- POST /articles/1/relationships/tags: 3
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "test"."article" t0 where t0."id" = $1 for update of t0;
select t0."id" as c0 from "test"."tag" t0 where (t0."id" = $1);
insert into "test"."article_tags_tag" ("articleId", "tagId") select $1, each::character varying from unnest($2::text[]) each on conflict do nothing;

-- DELETE /articles/1/relationships/tags: 3
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "test"."article" t0 where t0."id" = $1 for update of t0;
select t0."id" as c0 from "test"."tag" t0 where (t0."id" = $1);
DELETE from "test"."article_tags_tag" where "articleId" = $1 and ("tagId" = any($2));

-- PATCH /articles/1/relationships/tags: 4
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "test"."article" t0 where t0."id" = $1 for update of t0;
select t0."id" as c0 from "test"."tag" t0 where (t0."id" = $1);
DELETE from "test"."article_tags_tag" where "articleId" = $1 and not ("tagId" = any($2));
insert into "test"."article_tags_tag" ("articleId", "tagId") select $1, each::character varying from unnest($2::text[]) each on conflict do nothing;

-- PATCH /blogs/1/relationships/articles: 4
select t0."id" as c0, t0."title" as c1 from "test"."blog" t0 where t0."id" = $1 for update of t0;
select t0."id" as c0 from "test"."article" t0 where t0."id" = $1;
UPDATE "test"."article" set "blogId" = $1 where "blogId" = $2 and not ("id" = any($3));
UPDATE "test"."article" set "blogId" = $1 where ("id" = any($2));

-- POST /operations: add, link, update, remove: 10
insert into "test"."blog" ("title") values ($1) returning "id" as key0;
select t0."id" as c0, t0."title" as c1 from "test"."blog" t0 where t0."id" = $1;
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "test"."article" t0 where t0."id" = $1 for update of t0;
select t0."id" as c0 from "test"."blog" t0 where t0."id" = $1;
UPDATE "test"."article" set "blogId" = $1 where "id" = $2;
select t0."id" as c0, t0."title" as c1, t0."subtitle" as c2, t0."views" as c3, t0."likes" as c4, t0."bytes" as c5, t0."price" as c6, t0."rating" as c7, t0."isPublished" as c8, t0."publishedAt" as c9, t0."releasedOn" as c10, t0."readAt" as c11, t0."status" as c12, t0."token" as c13, t0."extra" as c14, t0."blogId" as c15 from "test"."article" t0 where t0."id" = $1 for update of t0;
UPDATE "test"."article" set "views" = $1 where "id" = $2;
select t0."id" as c0, t0."rank" as c1 from "test"."tag" t0 where (t0."id" = $1) for update of t0;
DELETE from "test"."article_tags_tag" where "tagId" = $1;
DELETE from "test"."tag" where "id" = $1;

-- DELETE /tags/a: 3
select t0."id" as c0, t0."rank" as c1 from "test"."tag" t0 where (t0."id" = $1) for update of t0;
DELETE from "test"."article_tags_tag" where "tagId" = $1;
DELETE from "test"."tag" where "id" = $1;

-- GET /vehicles: 1
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."gearCount" as c4, t0."passengerCount" as c5, t0."licensePlate" as c6, t0."seatCount" as c7, t0."mileage" as c8, t0."loadingCapacity" as c9, (select count(*) as total from "test"."vehicles" t0 where t0."kind" in ($1, $2, $3, $4)) as total from "test"."vehicles" t0 where t0."kind" in ($5, $6, $7, $8) order by t0."id" asc limit $9 offset $10;

-- GET /vehicles/1: 1
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."gearCount" as c4, t0."manufacturerId" as c5, t0."cargoBoxId" as c6, t0."passengerCount" as c7, t0."foldingDimensionsId" as c8, t0."licensePlate" as c9, t0."seatCount" as c10, t0."mileage" as c11, t0."engineId" as c12, t0."loadingCapacity" as c13, t0."sleepingAreaId" as c14 from "test"."vehicles" t0 where t0."id" = $1;

-- GET /bikes?sort=-gearCount: 1
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."gearCount" as c4, t0."passengerCount" as c5, (select count(*) as total from "test"."vehicles" t0 where t0."kind" in ($1, $2)) as total from "test"."vehicles" t0 where t0."kind" in ($3, $4) order by t0."gearCount" desc nulls last, t0."id" asc limit $5 offset $6;

-- GET /motorVehicles?filter=greaterThan(engine.capacity,'0'): 1
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."licensePlate" as c4, t0."seatCount" as c5, t0."mileage" as c6, t0."loadingCapacity" as c7, (select count(*) as total from "test"."vehicles" t0 left join "test"."engines" t1 on t1."id" = t0."engineId" and t1."kind" in ($1, $2) where t0."kind" in ($3, $4) and (t1."capacity" > $5)) as total from "test"."vehicles" t0 left join "test"."engines" t1 on t1."id" = t0."engineId" and t1."kind" in ($6, $7) where t0."kind" in ($8, $9) and (t1."capacity" > $10) order by t0."id" asc limit $11 offset $12;

-- GET /vehicles?filter=isType(,cars,has(features)): 1
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."licensePlate" as c4, t0."seatCount" as c5, t0."mileage" as c6, (select count(*) as total from "test"."vehicles" t0 where t0."kind" in ($1) and (t0."kind" in ($2) and exists (select 1 from "test"."feature" t1 join "test"."vehicles_car_features_feature" t2 on t2."featureId" = t1."id" where t2."vehiclesId" = t0."id"))) as total from "test"."vehicles" t0 where t0."kind" in ($3) and (t0."kind" in ($4) and exists (select 1 from "test"."feature" t1 join "test"."vehicles_car_features_feature" t2 on t2."featureId" = t1."id" where t2."vehiclesId" = t0."id")) order by t0."id" asc limit $5 offset $6;

-- GET /vehicles?include=features: 4
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."gearCount" as c4, t0."passengerCount" as c5, t0."licensePlate" as c6, t0."seatCount" as c7, t0."mileage" as c8, t0."loadingCapacity" as c9, (select count(*) as total from "test"."vehicles" t0 where t0."kind" in ($1, $2, $3, $4)) as total from "test"."vehicles" t0 where t0."kind" in ($5, $6, $7, $8) order by t0."id" asc limit $9 offset $10;
select limited.* from unnest($1::text[]) parents(parent) cross join lateral (select t0."id" as c0, t0."description" as c1, parents.parent::integer as parent, t0."id" as s0 from "test"."vehicles_tandem_features_feature" t1 cross join "test"."feature" t0 where t1."vehiclesId" = parents.parent::integer and t1."featureId" = t0."id" order by t1."featureId" asc limit $2 offset $3) limited order by s0 asc;
select limited.* from unnest($1::text[]) parents(parent) cross join lateral (select t0."id" as c0, t0."description" as c1, parents.parent::integer as parent, t0."id" as s0 from "test"."vehicles_car_features_feature" t1 cross join "test"."feature" t0 where t1."vehiclesId" = parents.parent::integer and t1."featureId" = t0."id" order by t1."featureId" asc limit $2 offset $3) limited order by s0 asc;
select limited.* from unnest($1::text[]) parents(parent) cross join lateral (select t0."id" as c0, t0."description" as c1, parents.parent::integer as parent, t0."id" as s0 from "test"."vehicles_truck_features_feature" t1 cross join "test"."feature" t0 where t1."vehiclesId" = parents.parent::integer and t1."featureId" = t0."id" order by t1."featureId" asc limit $2 offset $3) limited order by s0 asc;

-- GET /vehicles?include=engine.cylinders: 3
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."gearCount" as c4, t0."passengerCount" as c5, t0."licensePlate" as c6, t0."seatCount" as c7, t0."mileage" as c8, t0."engineId" as c9, t0."loadingCapacity" as c10, (select count(*) as total from "test"."vehicles" t0 where t0."kind" in ($1, $2, $3, $4)) as total from "test"."vehicles" t0 where t0."kind" in ($5, $6, $7, $8) order by t0."id" asc limit $9 offset $10;
select t0."kind" as c0, t0."id" as c1, t0."capacity" as c2, t0."gasolineCode" as c3, t0."dieselCode" as c4, t0."viscosity" as c5, t0."id" as parent from "test"."engines" t0 where (t0."id" = any($1));
select * from (select t0."id" as c0, t0."sparks" as c1, t0."engineId" as parent, row_number() over (partition by t0."engineId" order by t0."id" asc) as position from "test"."cylinder" t0 where (t0."engineId" = any($1))) ranked where position > $2 and position <= $3 order by position;

-- GET /manufacturers/1/vehicles: 2
select t0."id" as c0 from "test"."manufacturer" t0 where t0."id" = $1;
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."gearCount" as c4, t0."passengerCount" as c5, t0."licensePlate" as c6, t0."seatCount" as c7, t0."mileage" as c8, t0."loadingCapacity" as c9, (select count(*) as total from "test"."vehicles" t0 where t0."manufacturerId" = $1 and t0."kind" in ($2, $3, $4, $5)) as total from "test"."vehicles" t0 where t0."manufacturerId" = $6 and t0."kind" in ($7, $8, $9, $10) order by t0."id" asc limit $11 offset $12;

-- GET /vehicles/2/features: 2
select t0."kind" as c0, t0."id" as c1 from "test"."vehicles" t0 where t0."id" = $1;
select t0."id" as c0, t0."description" as c1, (select count(*) as total from "test"."feature" t0 where t0."id" in (select "featureId" from "test"."vehicles_car_features_feature" where "vehiclesId" = $1)) as total from "test"."feature" t0 where t0."id" in (select "featureId" from "test"."vehicles_car_features_feature" where "vehiclesId" = $2) order by t0."id" asc limit $3 offset $4;

-- POST /cars: 1
insert into "test"."vehicles" ("kind", "seatCount", "manufacturerId") values ($1, $2, $3) returning "test"."vehicles"."kind" as c0, "test"."vehicles"."id" as c1, "test"."vehicles"."weight" as c2, "test"."vehicles"."requiresDriverLicense" as c3, "test"."vehicles"."licensePlate" as c4, "test"."vehicles"."seatCount" as c5, "test"."vehicles"."mileage" as c6, "test"."vehicles"."manufacturerId" as c7, "test"."vehicles"."engineId" as c8;

-- PATCH /vehicles/2 of a car: 2
select t0."kind" as c0, t0."id" as c1, t0."weight" as c2, t0."requiresDriverLicense" as c3, t0."gearCount" as c4, t0."manufacturerId" as c5, t0."cargoBoxId" as c6, t0."passengerCount" as c7, t0."foldingDimensionsId" as c8, t0."licensePlate" as c9, t0."seatCount" as c10, t0."mileage" as c11, t0."engineId" as c12, t0."loadingCapacity" as c13, t0."sleepingAreaId" as c14 from "test"."vehicles" t0 where t0."id" = $1 for update of t0;
UPDATE "test"."vehicles" set "weight" = $1 where "id" = $2 and "kind" in ($3);
